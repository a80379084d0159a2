// SPDX-License-Identifier: MIT
#include "flagtree/Hints/Backup.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace flagtree;
using namespace flagtree::hints;

static StringRef nameOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Applied:
    return "applied";
  case Outcome::Failed:
    return "failed";
  case Outcome::Unchanged:
    return "unchanged";
  }
  llvm_unreachable("no other outcome");
}

Injection hints::injectionOf(StringRef name) {
  return llvm::StringSwitch<Injection>(name)
      .Case("error", Injection::Error)
      .Case("invalid", Injection::Invalid)
      .Default(Injection::None);
}

/// The place in the source where an operation stands: not those it was called from.
static FileLineColLoc placeOf(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return placeOf(call.getCallee());
  if (auto name = dyn_cast<NameLoc>(loc))
    return placeOf(name.getChildLoc());
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      if (FileLineColLoc place = placeOf(part))
        return place;
    return {};
  }
  return dyn_cast<FileLineColLoc>(loc);
}

void hints::note(func::FuncOp function, StringRef pass, Location loc, StringRef hint, const Result &result) {
  Builder b(function.getContext());
  FileLineColLoc place = placeOf(loc);
  SmallVector<Attribute> notes;
  if (auto before = function->getAttrOfType<ArrayAttr>(notesAttr))
    notes.assign(before.begin(), before.end());
  auto text = [&](StringRef name, const Twine &value) {
    return b.getNamedAttr(name, b.getStringAttr(value));
  };
  Attribute made = b.getDictionaryAttr({
      b.getNamedAttr("column", b.getI64IntegerAttr(place ? place.getColumn() : 0)),
      text("file", place ? place.getFilename().getValue() : ""),
      text("hint", hint),
      b.getNamedAttr("line", b.getI64IntegerAttr(place ? place.getLine() : 0)),
      text("outcome", nameOf(result.outcome)),
      text("pass", pass),
      text("reason", result.reason),
  });
  // A statement may have become several operations, to which the same happens.
  if (llvm::is_contained(notes, made))
    return;
  notes.push_back(made);
  function->setAttr(notesAttr, b.getArrayAttr(notes));
}

static void goWrong(func::FuncOp function, Injection injection) {
  if (injection == Injection::Error)
    function.emitError("injected");
  else if (injection == Injection::Invalid)
    function.getBody().back().getTerminator()->erase();
}

bool hints::attempt(func::FuncOp function, StringRef pass, Location loc, flir::HintAttr hint,
                    llvm::function_ref<Result()> rewrite, Injection injection) {
  OwningOpRef<func::FuncOp> backup = function.clone();
  std::string problem;
  Result result;
  {
    // An error here is no error of the compile.
    ScopedDiagnosticHandler handler(function.getContext(), [&](Diagnostic &diagnostic) {
      if (problem.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
        problem = diagnostic.str();
    });
    result = rewrite();
    goWrong(function, injection);
    if (problem.empty() && failed(verify(function)) && problem.empty())
      problem = "it left invalid IR";
  }
  if (!problem.empty()) {
    // Some print all of an operation behind the cause.
    constexpr size_t longest = 120;
    StringRef cause = StringRef(problem).split('\n').first.take_front(longest);
    result = {Outcome::Failed, ("the pass failed and was undone: " + cause).str()};
  }
  if (result.outcome == Outcome::Failed) {
    function.getBody().takeBody(backup->getBody());
    function->setAttrs(backup.get()->getAttrs());
  }
  note(function, pass, loc, hint.getText(), result);
  return result.outcome == Outcome::Applied;
}
