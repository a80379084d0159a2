// SPDX-License-Identifier: MIT
// flagtree._native.compiler: the C interface of libFlagTree, as Python sees it.
#include "flagtree-c/Compiler.h"

#include <pybind11/eval.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace py = pybind11;

namespace {

struct Diagnostic {
  FlagTreeSeverity severity;
  std::string file;
  uint32_t line, column;
  std::string message;
};

const char *nameOf(FlagTreeSeverity severity) {
  static const char *const names[] = {"note", "remark", "warning", "error"};
  return names[severity];
}

/// Gathers diagnostics, without the GIL; becomes an exception on failure.
class Collector {
public:
  FlagTreeDiagnostics sink() { return {&Collector::receive, this}; }

  [[noreturn]] void raise() const {
    std::string text;
    py::list list;
    for (const Diagnostic &d : all) {
      if (!text.empty())
        text += '\n';
      if (d.line)
        text += d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": ";
      text += std::string(nameOf(d.severity)) + ": " + d.message;
      py::dict entry;
      entry["severity"] = nameOf(d.severity);
      entry["file"] = d.file;
      entry["line"] = d.line;
      entry["column"] = d.column;
      entry["message"] = d.message;
      list.append(entry);
    }
    py::object type = py::module_::import("flagtree._native.compiler").attr("CompileError");
    py::object error = type(text);
    error.attr("diagnostics") = list;
    PyErr_SetObject(type.ptr(), error.ptr());
    throw py::error_already_set();
  }

private:
  static void receive(FlagTreeSeverity severity, const char *file, uint32_t line, uint32_t column,
                      const char *message, void *user) {
    static_cast<Collector *>(user)->all.push_back({severity, file, line, column, message});
  }

  std::vector<Diagnostic> all;
};

void append(const char *data, size_t size, void *user) {
  static_cast<std::string *>(user)->append(data, size);
}

/// Runs `call(diagnostics)` without the GIL; raises when it gives false or null.
template <typename Call> auto checked(Call call) {
  Collector collector;
  auto result = [&] {
    py::gil_scoped_release release;
    return call(collector.sink());
  }();
  if (!result)
    collector.raise();
  return result;
}

class Module {
public:
  explicit Module(FlagTreeModule *module) : module(module, flagtreeModuleDestroy) {}

  static Module parse(const std::string &text, const std::string &name) {
    return Module(checked([&](FlagTreeDiagnostics d) {
      return flagtreeModuleParse(text.data(), text.size(), name.c_str(), d);
    }));
  }

  Module clone() const { return Module(flagtreeModuleClone(module.get())); }

  void run(const std::string &pipeline) {
    checked([&](FlagTreeDiagnostics d) { return flagtreeModuleRun(module.get(), pipeline.c_str(), d); });
  }

  std::string text(bool debugInfo, bool generic) const {
    std::string out;
    py::gil_scoped_release release;
    flagtreeModulePrint(module.get(), debugInfo, generic, append, &out);
    return out;
  }

  std::string kernelName() const {
    std::string out;
    if (!flagtreeModuleKernelName(module.get(), append, &out))
      throw py::value_error("the module has not just one public function, so none is the kernel");
    return out;
  }

  std::string kernelAttribute(const std::string &name) const {
    std::string out;
    if (!flagtreeModuleKernelAttribute(module.get(), name.c_str(), append, &out))
      throw py::value_error("the module has not just one public function, so none is the kernel");
    return out;
  }

  py::bytes emit(const std::string &kind, const std::string &triple, const std::string &cpu,
                 const std::string &features) const {
    static const std::vector<std::string> kinds = {"llir", "llir-opt", "asm", "obj"};
    auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end())
      throw py::value_error("cannot emit '" + kind + "': choose llir, llir-opt, asm or obj");
    auto which = static_cast<FlagTreeEmitKind>(found - kinds.begin());
    std::string out;
    checked([&](FlagTreeDiagnostics d) {
      return flagtreeModuleEmit(module.get(), which, triple.c_str(), cpu.c_str(), features.c_str(), append,
                                &out, d);
    });
    return py::bytes(out);
  }

private:
  std::shared_ptr<FlagTreeModule> module;
};

class Program {
public:
  Program(const py::bytes &object, const std::string &symbol) {
    auto bytes = static_cast<std::string_view>(object);
    program.reset(checked([&](FlagTreeDiagnostics d) {
                    return flagtreeProgramLoad(bytes.data(), bytes.size(), symbol.c_str(), d);
                  }),
                  flagtreeProgramDestroy);
  }

  uint64_t address() const {
    if (!program)
      throw py::value_error("the program is closed");
    return flagtreeProgramAddress(program.get());
  }

  void close() { program.reset(); }

private:
  std::shared_ptr<FlagTreeProgram> program;
};

py::dict host() {
  auto property = [](FlagTreeHostProperty which) {
    std::string out;
    flagtreeHost(which, append, &out);
    return out;
  };
  py::dict result;
  result["triple"] = property(FlagTreeHostTriple);
  result["cpu"] = property(FlagTreeHostCpu);
  result["features"] = property(FlagTreeHostFeatures);
  return result;
}

} // namespace

PYBIND11_MODULE(compiler, m) {
  m.doc() = "FlagTree's MLIR compiler behind a text boundary.";

  // Made in Python so that instances carry attributes.
  py::dict scope;
  scope["__builtins__"] = py::module_::import("builtins");
  py::exec(R"(
class CompileError(RuntimeError):
    """IR that cannot be read, lowered or translated.

    `diagnostics` lists dicts with severity, file, line, column and message."""
    __module__ = "flagtree._native.compiler"
    diagnostics = ()
)",
           scope);
  m.attr("CompileError") = scope["CompileError"];

  py::class_<Module>(m, "Module", "A module of IR at any level; not to be used from two threads at once.")
      .def_static("parse", &Module::parse, py::arg("text"), py::arg("name") = "<ttir>",
                  "Parse IR text; CompileError names line and cause.")
      .def("clone", &Module::clone, "An independent copy.")
      .def("run", &Module::run, py::arg("pipeline"),
           "Run a textual pass pipeline; after a CompileError the module is good for printing only.")
      .def("text", &Module::text, py::arg("debug_info") = false, py::arg("generic") = false,
           "The IR as text.")
      .def("__str__", [](const Module &self) { return self.text(true, false); })
      .def("kernel_name", &Module::kernelName,
           "Name of the one public function; ValueError if there is not one.")
      .def("kernel_attribute", &Module::kernelAttribute, py::arg("name"),
           "Text of an attribute of that function, empty if it has none.")
      .def(
          "emit", &Module::emit, py::arg("kind"), py::arg("triple") = "", py::arg("cpu") = "",
          py::arg("features") = "",
          "llir, llir-opt, asm or obj bytes of a module of the llvm dialect; empty arguments mean the host.");

  py::class_<Program>(m, "Program", "Object code of the host, linked into the process.")
      .def(py::init<const py::bytes &, const std::string &>(), py::arg("obj"), py::arg("symbol"))
      .def_property_readonly("address", &Program::address, "Address of the symbol.")
      .def("close", &Program::close, "Unload; the address must not be used any more.");

  m.def(
      "passes", [] { return py::module_::import("json").attr("loads")(flagtreePasses()); },
      "The passes of the library: argument, summary, group and options of each.");
  m.def(
      "pass_exists", [](const std::string &name) { return flagtreePassExists(name.c_str()); },
      py::arg("argument"), "Whether a pass is registered, those of plugins included.");
  m.def("host", &host, "LLVM triple, cpu and features of this machine.");
  m.def(
      "vector_bytes",
      [](const std::string &triple, const std::string &cpu, const std::string &features) {
        return checked([&](FlagTreeDiagnostics d) {
          return flagtreeVectorBytes(triple.c_str(), cpu.c_str(), features.c_str(), d);
        });
      },
      py::arg("triple") = "", py::arg("cpu") = "", py::arg("features") = "",
      "Bytes of the vector register that LLVM prefers on a target; empty arguments mean the host.");
  m.def(
      "load_plugin",
      [](const std::string &path) {
        checked([&](FlagTreeDiagnostics d) { return flagtreePluginLoad(path.c_str(), d); });
      },
      py::arg("path"), "Load a pass or dialect plugin; CompileError tells why it is none.");
  m.def("llvm_version", [] { return std::string(flagtreeLLVMVersion()); });
}
