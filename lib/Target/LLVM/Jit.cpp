// SPDX-License-Identifier: MIT
#include "flagtree/Target/LLVM/Jit.h"

#include "flagtree/Runtime/ScalarEncoding.h"
#include "flagtree/Target/LLVM/TargetMachine.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include <atomic>

namespace flagtree {

namespace {
class JitObject : public LoadedObject {
public:
  JitObject(llvm::orc::LLJIT &jit, llvm::orc::JITDylib &dylib, uint64_t address)
      : jit(jit), dylib(dylib), entry(address) {}
  ~JitObject() override {
    // Fails only while the session ends, when there is nothing left to free.
    llvm::consumeError(jit.getExecutionSession().removeJITDylib(dylib));
  }
  uint64_t address() const override { return entry; }

private:
  llvm::orc::LLJIT &jit;
  llvm::orc::JITDylib &dylib;
  uint64_t entry;
};
} // namespace

/// LLVM rounds to bf16 by a call where it cuts vectors of it into scalars. The
/// function is one of the compiler's own runtime, which no process exports.
static __bf16 roundToBf16(float value) { return llvm::bit_cast<__bf16>(encodeBf16(value)); }

// Processors without F16C convert fp16 by calls of that runtime too.

static float extendFp16(_Float16 value) {
  llvm::APInt bits(16, llvm::bit_cast<uint16_t>(value));
  return llvm::APFloat(llvm::APFloat::IEEEhalf(), bits).convertToFloat();
}
static _Float16 roundFp64ToFp16(double value) { return llvm::bit_cast<_Float16>(encodeFp16(value)); }
static _Float16 roundToFp16(float value) { return roundFp64ToFp16(value); }

static llvm::Error defineRuntime(llvm::orc::LLJIT &jit, llvm::orc::JITDylib &dylib) {
  llvm::orc::SymbolMap symbols;
  auto define = [&](llvm::StringRef name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                          llvm::JITSymbolFlags::Exported};
  };
  define("__truncsfbf2", &roundToBf16);
  define("__extendhfsf2", &extendFp16);
  define("__truncsfhf2", &roundToFp16);
  define("__truncdfhf2", &roundFp64ToFp16);
  return dylib.define(llvm::orc::absoluteSymbols(std::move(symbols)));
}

/// One JIT a process; never destroyed, since kernels may run until the end.
static llvm::Expected<llvm::orc::LLJIT *> processJit() {
  static llvm::orc::LLJIT *jit = nullptr;
  static std::string problem;
  static std::once_flag once;
  std::call_once(once, [] {
    if (auto machine = targetMachine(hostTarget()); !machine) { // registers the targets
      problem = llvm::toString(machine.takeError());
      return;
    }
    auto builder = llvm::orc::JITTargetMachineBuilder(llvm::Triple(hostTarget().triple));
    auto made = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(builder)).create();
    if (made)
      jit = made->release();
    else
      problem = llvm::toString(made.takeError());
  });
  if (!jit)
    return llvm::createStringError("cannot start the JIT linker: " + problem);
  return jit;
}

llvm::Expected<std::unique_ptr<LoadedObject>> loadObject(llvm::StringRef object, llvm::StringRef symbol) {
  llvm::Expected<llvm::orc::LLJIT *> jit = processJit();
  if (!jit)
    return jit.takeError();
  static std::atomic<uint64_t> counter{0};
  std::string name = (symbol + "#" + llvm::Twine(counter++)).str();
  llvm::Expected<llvm::orc::JITDylib &> dylib = (*jit)->createJITDylib(name);
  if (!dylib)
    return dylib.takeError();
  auto fail = [&](llvm::Error error) -> llvm::Error {
    llvm::consumeError((*jit)->getExecutionSession().removeJITDylib(*dylib));
    return llvm::createStringError("cannot load the object code of '" + symbol +
                                   "': " + llvm::toString(std::move(error)));
  };
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return fail(process.takeError());
  dylib->addGenerator(std::move(*process));
  if (auto error = defineRuntime(**jit, *dylib))
    return fail(std::move(error));
  if (auto error = (*jit)->addObjectFile(*dylib, llvm::MemoryBuffer::getMemBufferCopy(object, name)))
    return fail(std::move(error));
  auto address = (*jit)->lookup(*dylib, symbol);
  if (!address)
    return fail(address.takeError());
  return std::make_unique<JitObject>(**jit, *dylib, address->getValue());
}

} // namespace flagtree
