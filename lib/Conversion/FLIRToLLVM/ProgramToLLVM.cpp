// SPDX-License-Identifier: MIT
// Prints and assertions become calls of the host.
#include "flagtree/Conversion/HostCalls.h"
#include "flagtree/Conversion/Passes.h"
#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace flagtree {
#define GEN_PASS_DEF_CONVERTFLIRPROGRAMTOLLVM
#include "flagtree/Conversion/Passes.h.inc"
} // namespace flagtree

using namespace mlir;
using namespace flagtree;

/// "file.py:12:3", and for what was written in a called function also where it was called.
static std::string placeOf(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    std::string callee = placeOf(call.getCallee()), caller = placeOf(call.getCaller());
    return caller.empty() ? callee : callee + ", called from " + caller;
  }
  if (auto name = dyn_cast<NameLoc>(loc))
    return placeOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location each : fused.getLocations())
      if (std::string place = placeOf(each); !place.empty())
        return place;
  }
  auto file = dyn_cast<FileLineColLoc>(loc);
  if (!file)
    return "";
  return (file.getFilename().getValue() + ":" + Twine(file.getLine())).str();
}

namespace {

/// Three ids and three sizes of the grid close a kernel's arguments.
constexpr unsigned gridArguments = 6;

class ProgramLowering {
public:
  explicit ProgramLowering(func::FuncOp function)
      : function(function), module(function->getParentOfType<ModuleOp>()) {}

  LogicalResult run() {
    SmallVector<Operation *> operations;
    function.walk([&](Operation *op) {
      if (isa<flir::PrintOp, flir::AssertOp>(op))
        operations.push_back(op);
    });
    for (Operation *op : operations) {
      if (function.getNumArguments() < gridArguments)
        return op->emitOpError("needs a function whose last six arguments are the grid's");
      OpBuilder b(op);
      if (auto print = dyn_cast<flir::PrintOp>(op))
        lower(b, print);
      else
        lower(b, cast<flir::AssertOp>(op));
      op->erase();
    }
    return success();
  }

private:
  /// A call with the ids of the program, a text and whatever else is told.
  void call(OpBuilder &b, Location loc, HostFunction host, StringRef words, Value data = {}) {
    SmallVector<Value> operands(function.getArguments().take_back(gridArguments).take_front(3));
    operands.push_back(text(b, loc, words));
    if (data)
      operands.push_back(data);
    callHost(b, loc, hostContext(b, loc), host, operands, {});
  }

  /// A constant of bytes with a zero at the end.
  Value text(OpBuilder &b, Location loc, StringRef value) {
    std::string bytes = value.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    unsigned number = 0;
    std::string name;
    do {
      name = "flagtree_text_" + std::to_string(number++);
    } while (module.lookupSymbol(name));
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto global = LLVM::GlobalOp::create(top, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                         top.getStringAttr(bytes));
    return LLVM::AddressOfOp::create(b, loc, global);
  }

  void lower(OpBuilder &b, flir::AssertOp assertion) {
    Location loc = assertion.getLoc();
    Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    auto branch = scf::IfOp::create(b, loc, arith::XOrIOp::create(b, loc, assertion.getCondition(), one));
    OpBuilder inner = branch.getThenBodyBuilder();
    std::string place = placeOf(loc), words = assertion.getMessage().str();
    call(inner, loc, HostFunction::Fail, place.empty() ? words : words + "\n  " + place);
  }

  /// What the host reads: kind and bits of the elements, whether to print in
  /// hexadecimal, the operand's number where there are several, the shape; then
  /// the prefix. It is told for each operand, whose elements lie in memory.
  void lower(OpBuilder &b, flir::PrintOp print) {
    Location loc = print.getLoc();
    auto told = [&](StringRef elements, int64_t operand, ArrayRef<int64_t> shape) {
      std::string words;
      llvm::raw_string_ostream out(words);
      out << elements << (print.getHex() ? " hex " : " dec ")
          << (print.getValues().size() > 1 ? operand : int64_t(-1)) << ' ';
      llvm::interleave(shape, out, "x");
      out << '\n' << print.getPrefix();
      return words;
    };
    if (print.getValues().empty()) {
      Value none = LLVM::ZeroOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()));
      call(b, loc, HostFunction::Print, told("n0", 0, {}), none);
    }
    for (auto [number, value] : llvm::enumerate(print.getValues())) {
      Type element = getElementTypeOrSelf(value.getType());
      bool isSigned = number < print.getIsSigned().size() && print.getIsSigned()[number] != 0;
      std::string elements = (isa<FloatType>(element) ? "f"
                              : isSigned              ? "s"
                                                      : "u") +
                             std::to_string(element.getIntOrFloatBitWidth());
      auto shaped = dyn_cast<ShapedType>(value.getType());
      call(b, loc, HostFunction::Print,
           told(elements, number, shaped ? shaped.getShape() : ArrayRef<int64_t>()), inMemory(b, loc, value));
    }
  }

  /// Address of the first element.
  Value inMemory(OpBuilder &b, Location loc, Value value) {
    Value buffer;
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      auto memory = MemRefType::get(type.getShape(), type.getElementType());
      buffer = bufferization::ToBufferOp::create(b, loc, memory, value, /*read_only=*/true);
    } else {
      auto memory = MemRefType::get({}, value.getType());
      OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
      buffer = memref::AllocaOp::create(entry, loc, memory);
      memref::StoreOp::create(b, loc, value, buffer);
    }
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, buffer);
    Value number = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
    return LLVM::IntToPtrOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()), number);
  }

  func::FuncOp function;
  ModuleOp module;
};

struct ConvertFLIRProgramToLLVM : flagtree::impl::ConvertFLIRProgramToLLVMBase<ConvertFLIRProgramToLLVM> {
  void runOnOperation() override {
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && failed(ProgramLowering(function).run()))
        return signalPassFailure();
  }
};

} // namespace
