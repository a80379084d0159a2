// SPDX-License-Identifier: MIT
#include "flagtree/Hints/Hints.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace flagtree;
using namespace flagtree::hints;

static ArrayRef<Attribute> hintsOf(Operation *op) {
  auto found = op->getAttrOfType<ArrayAttr>(hintsAttr);
  return found ? found.getValue() : ArrayRef<Attribute>();
}

static bool isCalled(Attribute attribute, StringRef name) {
  auto hint = dyn_cast<flir::HintAttr>(attribute);
  return hint && hint.getName().getValue() == name;
}

flir::HintAttr hints::hintOf(Operation *op, StringRef name) {
  for (Attribute each : hintsOf(op))
    if (isCalled(each, name))
      return cast<flir::HintAttr>(each);
  return {};
}

flir::HintAttr hints::takeHint(Operation *op, StringRef name) {
  flir::HintAttr hint = hintOf(op, name);
  if (!hint)
    return {};
  SmallVector<Attribute> kept;
  llvm::copy_if(hintsOf(op), std::back_inserter(kept), [&](Attribute each) { return !isCalled(each, name); });
  if (kept.empty())
    op->removeAttr(hintsAttr);
  else
    op->setAttr(hintsAttr, ArrayAttr::get(op->getContext(), kept));
  return hint;
}

Operation *hints::firstHinted(Operation *function, StringRef name) {
  Operation *found = nullptr;
  function->walk([&](Operation *op) {
    if (!hintOf(op, name))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

namespace {
/// Reads one pass over the characters, whatever they are.
class Reader {
public:
  Reader(MLIRContext *context, StringRef text) : b(context), rest(text) {}

  SmallVector<ReadHint> read() {
    SmallVector<ReadHint> found;
    while (!rest.trim().empty()) {
      ReadHint each;
      each.text = nextPiece(rest).trim();
      readOne(each);
      found.push_back(each);
    }
    return found;
  }

private:
  /// Takes what comes before the first comma that is outside of brackets and quotes.
  static StringRef nextPiece(StringRef &rest) {
    SmallVector<char> closers;
    char quote = 0;
    for (auto [at, c] : llvm::enumerate(rest)) {
      if (quote) {
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (StringRef("([{").contains(c)) {
        closers.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
      } else if (!closers.empty() && c == closers.back()) {
        closers.pop_back();
      } else if (c == ',' && closers.empty()) {
        StringRef piece = rest.take_front(at);
        rest = rest.drop_front(at + 1);
        return piece;
      }
    }
    return std::exchange(rest, StringRef());
  }

  void readOne(ReadHint &each) {
    StringRef name = each.text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    StringRef behind = each.text.drop_front(name.size()).ltrim();
    if (name.empty() || llvm::isDigit(name.front())) {
      each.problem = "a hint starts with its name";
      return;
    }
    SmallVector<Attribute> args;
    if (behind.consume_front("=")) {
      addArgument(behind, args, each.problem);
    } else if (behind.consume_front("(")) {
      if (!behind.consume_back(")"))
        each.problem = "')' is missing";
      while (each.problem.empty() && !behind.trim().empty())
        addArgument(nextPiece(behind), args, each.problem);
    } else if (!behind.empty()) {
      each.problem = "write name, name=value or name(value, value)";
    }
    if (each.problem.empty())
      each.hint = flir::HintAttr::get(b.getContext(), b.getStringAttr(name), args);
  }

  void addArgument(StringRef text, SmallVectorImpl<Attribute> &args, std::string &problem) {
    text = text.trim();
    int64_t number;
    if (text.empty())
      problem = "a value is empty";
    else if (!text.getAsInteger(10, number))
      args.push_back(b.getI64IntegerAttr(number));
    else
      args.push_back(b.getStringAttr(text));
  }

  Builder b;
  StringRef rest;
};
} // namespace

SmallVector<ReadHint> hints::readHints(MLIRContext *context, StringRef text) {
  return Reader(context, text).read();
}
