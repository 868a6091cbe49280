// `LegacyStore` defines this writer. An app that uses it imports only `LegacyFiles`, as for the other writers.
@_exported public import class LegacyStore.JSONLinesStoreWriter
