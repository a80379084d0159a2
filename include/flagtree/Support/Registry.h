// SPDX-License-Identifier: MIT
// The one place through which dialects, passes and backends become known.
#ifndef FLAGTREE_SUPPORT_REGISTRY_H
#define FLAGTREE_SUPPORT_REGISTRY_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace flagtree {

/// Everything of the library and of the backends built into it.
void registerAllDialects(mlir::DialectRegistry &registry);
/// Registers every pass once a process; later calls do nothing.
void registerAllPasses();

/// A backend of third_party/ makes itself known with one static object, so
/// that the trunk names none:
///   static flagtree::BackendRegistration reg{registerDialects, registerPasses};
struct BackendRegistration {
  using DialectsFn = void (*)(mlir::DialectRegistry &);
  using PassesFn = void (*)();
  BackendRegistration(DialectsFn dialects, PassesFn passes);

  DialectsFn dialects;
  PassesFn passes;
  const BackendRegistration *next;
};

} // namespace flagtree

#endif // FLAGTREE_SUPPORT_REGISTRY_H
