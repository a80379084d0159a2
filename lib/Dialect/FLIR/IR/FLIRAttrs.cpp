// SPDX-License-Identifier: MIT
#include "flagtree/Dialect/FLIR/IR/FLIR.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace flagtree::flir;

#define GET_ATTRDEF_CLASSES
#include "flagtree/Dialect/FLIR/IR/FLIRAttrs.cpp.inc"

void FLIRDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "flagtree/Dialect/FLIR/IR/FLIRAttrs.cpp.inc"
      >();
}

/// A name, a number or a word; null, with an error, for anything else.
static Attribute parseWord(AsmParser &parser, bool mayBeNumber) {
  Builder b(parser.getContext());
  int64_t number;
  if (mayBeNumber) {
    OptionalParseResult found = parser.parseOptionalInteger(number);
    if (found.has_value())
      return failed(*found) ? Attribute() : b.getI64IntegerAttr(number);
  }
  std::string word;
  if (failed(parser.parseKeywordOrString(&word)))
    return {};
  return b.getStringAttr(word);
}

Attribute HintAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  auto name = cast_or_null<StringAttr>(parseWord(parser, /*mayBeNumber=*/false));
  if (!name)
    return {};
  SmallVector<Attribute> args;
  while (succeeded(parser.parseOptionalComma())) {
    args.push_back(parseWord(parser, /*mayBeNumber=*/true));
    if (!args.back())
      return {};
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(start); }, parser.getContext(), name, args);
}

void HintAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printKeywordOrString(getName());
  for (Attribute arg : getArgs()) {
    printer << ", ";
    if (auto number = dyn_cast<IntegerAttr>(arg))
      printer << number.getInt();
    else
      printer.printKeywordOrString(cast<StringAttr>(arg));
  }
  printer << '>';
}

LogicalResult HintAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringAttr name,
                               ArrayRef<Attribute> args) {
  if (name.getValue().empty())
    return emitError() << "a hint has a name";
  for (Attribute arg : args) {
    auto number = dyn_cast<IntegerAttr>(arg);
    if (!isa<StringAttr>(arg) && !(number && number.getType().isSignlessInteger(64)))
      return emitError() << "hint " << name << " has the argument " << arg
                         << ", which is neither a number of 64 bits nor a word";
  }
  return success();
}

std::optional<int64_t> HintAttr::getNumber(unsigned position) {
  auto number = position < getArgs().size() ? dyn_cast<IntegerAttr>(getArgs()[position]) : IntegerAttr();
  return number ? std::optional(number.getInt()) : std::nullopt;
}

std::string HintAttr::getText() {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto write = [&](Attribute arg) {
    if (auto number = dyn_cast<IntegerAttr>(arg))
      out << number.getInt();
    else
      out << cast<StringAttr>(arg).getValue();
  };
  out << getName().getValue();
  if (getArgs().size() == 1) {
    out << '=';
    write(getArgs().front());
  } else if (!getArgs().empty()) {
    out << '(';
    llvm::interleaveComma(getArgs(), out, write);
    out << ')';
  }
  return text;
}
