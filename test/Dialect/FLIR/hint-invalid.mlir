// RUN: flagtree-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a hint has a name}}
"builtin.module"() ({}) {hint = #flir.hint<"">} : () -> ()

// -----

// expected-error @+1 {{expected valid keyword or string}}
"builtin.module"() ({}) {hint = #flir.hint<unroll, >} : () -> ()

// -----

// expected-error @+1 {{expected valid keyword or string}}
"builtin.module"() ({}) {hint = #flir.hint<2>} : () -> ()

// -----

// expected-error @+1 {{expected '>'}}
"builtin.module"() ({}) {hint = #flir.hint<unroll 2>} : () -> ()
