// SPDX-License-Identifier: MIT
#include "flagtree/Target/LLVM/TargetMachine.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

namespace flagtree {

const TargetDescription &hostTarget() {
  static const TargetDescription host = [] {
    llvm::SubtargetFeatures features;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.getKey(), feature.getValue());
    return TargetDescription{llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName().str(),
                             features.getString()};
  }();
  return host;
}

TargetDescription resolveTarget(TargetDescription target) {
  if (target.triple.empty() || target.triple == hostTarget().triple) {
    if (target.cpu.empty()) {
      target.cpu = hostTarget().cpu;
      if (target.features.empty())
        target.features = hostTarget().features;
    }
    target.triple = hostTarget().triple;
  } else if (target.cpu.empty()) {
    target.cpu = "generic";
  }
  return target;
}

/// The known name that differs least from `name`.
template <typename Descriptions> static std::string nearest(llvm::StringRef name, const Descriptions &known) {
  llvm::StringRef best;
  unsigned least = ~0u;
  for (const auto &each : known)
    if (unsigned distance = name.edit_distance(llvm::StringRef(each.Key)); distance < least) {
      least = distance;
      best = llvm::StringRef(each.Key);
    }
  return best.str();
}

/// LLVM warns of unknown names, or ends the process: they are refused here.
static llvm::Error checkNames(const llvm::Target &found, const llvm::Triple &triple,
                              const TargetDescription &target) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(found.createMCSubtargetInfo(triple, "", ""));
  if (!info)
    return llvm::createStringError("the target '" + target.triple + "' has no list of processors");
  auto unknown = [&](llvm::StringRef what, llvm::StringRef name, std::string near) {
    return llvm::createStringError("'" + target.triple + "' has no " + what + " '" + name +
                                   "'; did you mean '" + near + "'?");
  };
  if (!info->isCPUStringValid(target.cpu))
    return unknown("processor", target.cpu, nearest(target.cpu, info->getAllProcessorDescriptions()));
  llvm::SmallVector<llvm::StringRef> features;
  llvm::StringRef(target.features).split(features, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef feature : features) {
    if (!feature.starts_with("+") && !feature.starts_with("-"))
      return llvm::createStringError("the feature '" + feature + "' needs a sign: '+" + feature + "' or '-" +
                                     feature + "'");
    llvm::StringRef name = feature.drop_front();
    if (llvm::none_of(info->getAllProcessorFeatures(), [&](const auto &known) { return name == known.Key; }))
      return unknown("feature", name, nearest(name, info->getAllProcessorFeatures()));
    if (feature == "-64bit" && triple.isArch64Bit())
      return llvm::createStringError("'" + target.triple +
                                     "' cannot be compiled for without the feature '64bit'");
  }
  return llvm::Error::success();
}

llvm::Expected<llvm::TargetMachine *> targetMachine(const TargetDescription &target) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
  });
  thread_local llvm::StringMap<std::unique_ptr<llvm::TargetMachine>> machines;
  std::string key = target.triple + "|" + target.cpu + "|" + target.features;
  std::unique_ptr<llvm::TargetMachine> &machine = machines[key];
  if (machine)
    return machine.get();
  std::string problem;
  llvm::Triple triple(target.triple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!found)
    return llvm::createStringError("no code generator for the triple '" + target.triple + "': " + problem);
  if (llvm::Error error = checkNames(*found, triple, target))
    return error;
  llvm::TargetOptions options;
  // Kernels ask for fused multiply-add where the language allows it (enable_fp_fusion).
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  machine.reset(found->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
                                           std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return llvm::createStringError("cannot make code for '" + target.triple + "' with cpu '" + target.cpu +
                                   "'");
  return machine.get();
}

llvm::Expected<unsigned> vectorBytes(const TargetDescription &target) {
  llvm::Expected<llvm::TargetMachine *> machine = targetMachine(target);
  if (!machine)
    return machine.takeError();
  // The cost model answers for a function, since attributes can change it.
  llvm::LLVMContext context;
  llvm::Module module("probe", context);
  module.setDataLayout((*machine)->createDataLayout());
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "probe", module);
  function->addFnAttr("target-cpu", target.cpu);
  function->addFnAttr("target-features", target.features);
  llvm::TargetTransformInfo info = (*machine)->getTargetTransformInfo(*function);
  unsigned bits = info.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  return std::max(16u, bits / 8); // without vectors LLVM still splits small ones well
}

} // namespace flagtree
