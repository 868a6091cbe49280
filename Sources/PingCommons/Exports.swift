// This file exports types of inner modules. Both modules of the async API use these types, and an app creates
// or catches them. Types whose names also occur in other modules, such as `Keychain`, are not exported; an app
// uses `StandardStore.Keychain`, `StandardStore.KeychainItem` and so on instead.
@_exported public import class PushBridgeClients.KeychainStorage
@_exported public import class PushBridgeClients.SQLiteStorage
@_exported public import struct PushBridgeClients.StoreStorage
@_exported public import struct PushBridgeCore.AccountProfile
@_exported public import struct PushBridgeCore.BiometricAvailablePolicy
@_exported public import protocol PushBridgeCore.CredentialStore
@_exported public import struct PushBridgeCore.DeviceTamperingPolicy
@_exported public import enum PushBridgeCore.KeychainAccessibility
@_exported public import struct PushBridgeCore.StoreError
@_exported public import class PushBridgeStore.InMemoryKeychain
@_exported public import struct PushBridgeStore.InMemorySealingKey
@_exported public import struct PushBridgeStore.KeyFile
@_exported public import class PushBridgeStore.KeychainCredentialStore
@_exported public import struct PushBridgeStore.KeychainSealingKey
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
