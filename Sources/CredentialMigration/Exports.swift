// One import is enough for a migration: the stores it writes to, their keys, and what its reports are made of.
@_exported public import protocol PushBridgeCore.CredentialStore
@_exported public import enum PushBridgeCore.LegacyRecordKind
@_exported public import enum PushBridgeCore.MigrationOutcome
@_exported public import struct PushBridgeCore.MigrationResult
@_exported public import struct PushBridgeCore.StoreError
@_exported public import struct PushBridgeStore.InMemorySealingKey
@_exported public import struct PushBridgeStore.KeyFile
@_exported public import class PushBridgeStore.KeychainCredentialStore
@_exported public import struct PushBridgeStore.KeychainSealingKey
@_exported public import struct PushBridgeStore.KeychainServices
@_exported public import class PushBridgeStore.MemoryCredentialStore
@_exported public import class PushBridgeStore.SQLiteCredentialStore
@_exported public import enum PushBridgeStore.SQLiteStoreMode
@_exported public import protocol PushBridgeStore.SealingKeyProvider
@_exported public import enum PushBridgeStore.StandardStore
