// SPDX-License-Identifier: MIT
#include "flagtree/Target/LLVM/Emit.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/ModuleTranslation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace flagtree {

/// LLVM's passes of O3 that find something to do here, each once: the vector
/// code is ours already, tiles fill the registers, and there is one function.
/// The whole of O3 takes two to three times as long for the same code.
static constexpr llvm::StringLiteral pipeline =
    "function("
    "sroa,early-cse<memssa>,simplifycfg,"
    "loop-mssa(loop-rotate,licm,simple-loop-unswitch<nontrivial;trivial>),"
    "simplifycfg,instcombine<no-verify-fixpoint>,"
    "gvn,dse,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(licm),div-rem-pairs,simplifycfg)";

static llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
    return error;
  passes.run(module, modules);
  return llvm::Error::success();
}

static llvm::Expected<std::string> generate(llvm::Module &module, llvm::TargetMachine &machine,
                                            bool assembly) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  auto type = assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return llvm::createStringError("the target '" + machine.getTargetTriple().str() +
                                   "' cannot write this kind of file");
  passes.run(module);
  return bytes.str().str();
}

llvm::Expected<std::string> emit(mlir::ModuleOp op, EmitKind kind, const TargetDescription &target) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = mlir::translateModuleToLLVMIR(op, context);
  if (!module)
    return llvm::createStringError("the module is not wholly in the llvm dialect");
  llvm::Expected<llvm::TargetMachine *> machine = targetMachine(target);
  if (!machine)
    return machine.takeError();
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  for (llvm::Function &function : *module)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", target.cpu);
      function.addFnAttr("target-features", target.features);
    }
  if (kind != EmitKind::LLVMIR)
    if (llvm::Error error = optimize(*module, **machine))
      return std::move(error);
  if (kind == EmitKind::Assembly || kind == EmitKind::Object)
    return generate(*module, **machine, kind == EmitKind::Assembly);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

} // namespace flagtree
