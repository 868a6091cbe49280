// swift-format-ignore-file
// Nothing is imported here: the app's own names only.
func noImport(_ holder: Holder, _ c: C) -> C { c }  //= Account as C, Account as C
func noImport2(_ lens: Lens) { let c = C(); _ = c; _ = global; _ = tupled().b }  //= Account.init() as C
