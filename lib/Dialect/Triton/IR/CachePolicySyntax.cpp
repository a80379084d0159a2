// SPDX-License-Identifier: MIT
#include "CachePolicySyntax.h"

using namespace mlir;

namespace flagtree::tt {

/// `name = word` if it comes next; `value` keeps its default otherwise.
template <typename Enum>
static ParseResult parseWord(OpAsmParser &parser, StringRef name, std::optional<Enum> (*symbolize)(StringRef),
                             StringRef allowed, Enum &value, bool &found) {
  if (failed(parser.parseOptionalKeyword(name)))
    return success();
  StringRef word;
  if (parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Enum> parsed = symbolize(word);
  if (!parsed)
    return parser.emitError(loc) << name << " is '" << word << "'; it must be one of " << allowed;
  value = *parsed;
  found = true;
  return success();
}

ParseResult parseCachePolicyWords(OpAsmParser &parser, OperationState &state) {
  auto modifier = CacheModifier::None;
  auto eviction = EvictionPolicy::Normal;
  bool found = false;
  if (parseWord<CacheModifier>(parser, "cacheModifier", symbolizeCacheModifier,
                               "none, ca, cg, wb, cs, wt, cv", modifier, found) ||
      parseWord<EvictionPolicy>(parser, "evictionPolicy", symbolizeEvictionPolicy,
                                "evict_normal, evict_first, evict_last", eviction, found))
    return failure();
  if (found)
    state.addAttribute("cachePolicy", CachePolicyAttr::get(parser.getContext(), modifier, eviction));
  return success();
}

ParseResult verifyParsedAttributes(OpAsmParser &parser, OperationState &state) {
  std::optional<RegisteredOperationName> name = state.name.getRegisteredInfo();
  return name->verifyInherentAttrs(state.attributes, [&] { return parser.emitError(parser.getNameLoc()); });
}

} // namespace flagtree::tt
