import PushBridgeCore

/// A legacy store of a renamed copy of the SDK: its archives contain the copy's module instead of `FRAuthenticator`.
package struct RenamedModuleSource: WrappingSource {
    package let wrapped: any LegacySource
    private let module: String

    package init(_ source: any LegacySource, module: String) {
        wrapped = source
        self.module = module
    }

    package func items() throws(LegacyStoreError) -> LegacyItems {
        var items = try wrapped.items()
        return LegacyItems { [module] () throws(LegacyStoreError) in
            guard var item = try items.next()?.get() else { return nil }
            item.module = .named(module)
            return item
        }
    }

    package func state() throws(LegacyStoreError) -> SourceState? {
        try wrapped.state()?.combined(with: [module])
    }
}
