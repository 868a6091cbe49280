// An app that migrates imports this module, which exports the stores, their keys, and the types of the reports.
// For legacy stores in files, the app also imports `LegacyFiles`.
@_exported public import struct LegacyStore.LegacyItem
@_exported public import protocol LegacyStore.LegacyItemKey
@_exported public import struct LegacyStore.LegacyItems
@_exported public import enum LegacyStore.LegacyService
@_exported public import protocol LegacyStore.LegacySource
@_exported public import struct LegacyStore.LegacyStoreError
@_exported public import protocol LegacyStore.LegacyStoreWriting
@_exported public import struct LegacyStore.MemoryLegacySource
@_exported public import struct LegacyStore.SourceState
@_exported public import protocol PushBridgeCore.CredentialStore
@_exported public import struct PushBridgeCore.LegacyRecordError
@_exported public import enum PushBridgeCore.LegacyRecordKind
@_exported public import enum PushBridgeCore.MigrationOutcome
@_exported public import enum PushBridgeCore.MigrationReason
@_exported public import struct PushBridgeCore.MigrationResult
@_exported public import struct PushBridgeCore.PushMilestone
@_exported public import struct PushBridgeCore.RecordFingerprint
@_exported public import struct PushBridgeCore.StoreError
@_exported public import class PushBridgeStore.InMemoryKeychain
@_exported public import struct PushBridgeStore.InMemorySealingKey
@_exported public import struct PushBridgeStore.KeyFile
@_exported public import class PushBridgeStore.KeychainCredentialStore
@_exported public import struct PushBridgeStore.KeychainItem
@_exported public import struct PushBridgeStore.KeychainSealingKey
@_exported public import struct PushBridgeStore.KeychainServices
@_exported public import class PushBridgeStore.MemoryCredentialStore
@_exported public import class PushBridgeStore.SQLiteCredentialStore
@_exported public import enum PushBridgeStore.SQLiteStoreMode
@_exported public import protocol PushBridgeStore.SealingKeyProvider
@_exported public import enum PushBridgeStore.StandardStore
@_exported public import struct PushBridgeStore.StoreMove
@_exported public import struct PushBridgeStore.StoreMoveProgress
@_exported public import struct PushBridgeStore.StoreMoveReceipt

#if canImport(Security)
@_exported public import struct PushBridgeStore.SystemKeychain
#endif

// `LegacyStoreWriting` inherits from this protocol.
#if compiler(>=6.2)
@_exported public import protocol PushBridgePlatform.NonisolatedConformance
#else
@_exported public import typealias PushBridgePlatform.NonisolatedConformance
#endif
