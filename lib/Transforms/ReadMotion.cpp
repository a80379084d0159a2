// SPDX-License-Identifier: MIT
#include "ReadMotion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace flagtree;

/// A distance that no two arguments are known to keep.
static constexpr int64_t unbounded = int64_t(1) << 62;

/// Number of the kernel's argument that `pointer` is.
static std::optional<int64_t> argumentNumber(Value pointer) {
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  return argument.getArgNumber();
}

static int64_t elementBytes(Type block) {
  return llvm::divideCeil(getElementTypeOrSelf(block).getIntOrFloatBitWidth(), 8);
}

/// Two accesses of the same elements, counted from their bases.
template <typename Op> static bool haveSameNumbers(flir::LoadOp load, Op write) {
  return load.getOffset() == write.getOffset() && load.getMixedStrides() == write.getMixedStrides() &&
         load.getBlockShape() == write.getBlockShape() &&
         elementBytes(load.getBlockType()) == elementBytes(write.getBlockType());
}

/// Bytes from the first to behind the last element of a block, when known.
static std::optional<int64_t> reach(flir::LoadOp load) {
  int64_t elements = 1;
  for (auto [size, stride] : llvm::zip_equal(load.getBlockShape(), load.getMixedStrides())) {
    std::optional<int64_t> step = getConstantIntValue(stride);
    if (!step)
      return std::nullopt;
    elements += (size - 1) * std::abs(*step);
  }
  return elements * elementBytes(load.getBlockType());
}

static Value writtenBase(Operation *write) {
  if (auto store = dyn_cast<flir::StoreOp>(write))
    return store.getBase();
  if (auto update = dyn_cast<flir::AtomicRMWOp>(write))
    return update.getBase();
  return {};
}

/// An index may name one row twice, whose second tile would read what the first
/// one wrote.
static bool haveSameNumbers(flir::LoadOp load, Operation *write) {
  if (!load.getIndices().empty())
    return false;
  if (auto store = dyn_cast<flir::StoreOp>(write))
    return store.getIndices().empty() && haveSameNumbers<flir::StoreOp>(load, store);
  auto update = dyn_cast<flir::AtomicRMWOp>(write);
  return update && haveSameNumbers<flir::AtomicRMWOp>(load, update);
}

/// Each user is looked at once: a chain in which values are used twice has more paths than can be counted.
bool flagtree::keepsPlaces(Value value, Operation *root) {
  SmallVector<Operation *> work(value.getUsers());
  llvm::SmallPtrSet<Operation *, 16> seen(llvm::from_range, work);
  while (!work.empty()) {
    Operation *user = work.pop_back_val();
    if (user == root)
      continue;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
    if (!linalgOp && !isa<flir::ScanOp>(user)) {
      if (user->getBlock() == root->getBlock())
        return false;
      continue;
    }
    if (linalgOp &&
        !llvm::all_of(linalgOp.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
      return false;
    for (Operation *next : user->getUsers())
      if (seen.insert(next).second)
        work.push_back(next);
  }
  return true;
}

/// True when the two arguments may be taken for two buffers. It matters when
/// they are at least `low` bytes apart, but not so far that blocks of the same
/// numbers have nothing in common.
bool ReadMotion::isApart(flir::LoadOp load, Operation *write, int64_t low) {
  std::optional<int64_t> read = argumentNumber(load.getBase()), written = argumentNumber(writtenBase(write));
  if (!distinctArguments || !read || !written || read == written)
    return false;
  bool same = haveSameNumbers(load, write);
  relied.push_back({*read, *written, same ? low : 0, same ? reach(load).value_or(unbounded) : unbounded});
  return true;
}

bool ReadMotion::mayOverwrite(Operation *write, Operation *read, int64_t low) {
  auto load = dyn_cast<flir::LoadOp>(read);
  return !load || !writtenBase(write) || !isApart(load, write, low);
}

/// True when a write in `op`, or in its regions, may change what `read` reads.
/// What a program reads before it gives a lock back must be read by then.
bool ReadMotion::disturbs(Operation *op, Operation *read) {
  return op
      ->walk([&](Operation *inner) {
        auto effects = dyn_cast<MemoryEffectOpInterface>(inner);
        bool writes = effects && effects.hasEffect<MemoryEffects::Write>();
        return writes && (flir::ordersMemory(inner) || mayOverwrite(inner, read, /*low=*/0))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool ReadMotion::mayReadAt(Operation *read, Operation *root) {
  relied.clear();
  for (Operation *op = read->getNextNode(); op && op != root; op = op->getNextNode())
    if (disturbs(op, read))
      return false;
  auto load = dyn_cast<flir::LoadOp>(read);
  auto effects = dyn_cast<MemoryEffectOpInterface>(root);
  if (effects && effects.hasEffect<MemoryEffects::Write>()) {
    bool inPlace = load && haveSameNumbers(load, root) && keepsPlaces(load.getResult(), root);
    bool sameBase = load && isa<flir::StoreOp>(root) && load.getBase() == writtenBase(root);
    if (!(inPlace && sameBase) && mayOverwrite(root, read, /*low=*/inPlace ? 1 : 0))
      return false;
  }
  pairs.insert(relied.begin(), relied.end());
  return true;
}

void ReadMotion::note(func::FuncOp function) const {
  SmallVector<int64_t> numbers;
  for (const Pair &pair : pairs)
    llvm::append_values(numbers, pair.read, pair.written, pair.low, pair.high);
  if (!numbers.empty())
    function->setAttr("flir.distinct", DenseI64ArrayAttr::get(function.getContext(), numbers));
}
