// swift-format-ignore-file
// This file imports nothing and uses only the app's aliases.
func noImport(_ holder: Holder, _ c: C) -> C { c }  //= Account as C, Account as C
func noImport2(_ lens: Lens) { let c = C(); _ = c; _ = global; _ = tupled().b }  //= Account.init() as C
