// One import is enough for an app: the values and stores that this API shows are part of it, under their own names.
@_exported public import enum PingLogger.LogManager
@_exported public import protocol PushBridgeCore.AccountBound
@_exported public import struct PushBridgeCore.AccountKey
@_exported public import struct PushBridgeCore.AccountProfile
@_exported public import struct PushBridgeCore.AnswerClaim
@_exported public import struct PushBridgeCore.BiometricAvailablePolicy
@_exported public import protocol PushBridgeCore.CredentialStore
@_exported public import struct PushBridgeCore.DeviceTamperingPolicy
@_exported public import enum PushBridgeCore.JSONValue
@_exported public import protocol PushBridgeCore.MfaPolicy
@_exported public import struct PushBridgeCore.MfaPolicyEvaluator
@_exported public import enum PushBridgeCore.NotificationCleanup
@_exported public import struct PushBridgeCore.PushCredential
@_exported public import struct PushBridgeCore.PushDeviceToken
@_exported public import struct PushBridgeCore.PushEndpoints
@_exported public import struct PushBridgeCore.PushMessage
@_exported public import struct PushBridgeCore.PushNotification
@_exported public import enum PushBridgeCore.PushPlatform
@_exported public import struct PushBridgeCore.PushRequest
@_exported public import struct PushBridgeCore.PushResponse
@_exported public import enum PushBridgeCore.PushResponseError
@_exported public import enum PushBridgeCore.PushType
@_exported public import struct PushBridgeCore.SharedSecret
@_exported public import struct PushBridgeCore.StoreError
@_exported public import protocol PushBridgePlatform.PushTransport
@_exported public import enum PushBridgePlatform.PushTransportError
@_exported public import class PushBridgePlatform.URLSessionTransport
@_exported public import class PushBridgeStore.InMemoryKeychain
@_exported public import struct PushBridgeStore.InMemorySealingKey
@_exported public import struct PushBridgeStore.KeyFile
@_exported public import protocol PushBridgeStore.Keychain
@_exported public import enum PushBridgeStore.KeychainAccessibility
@_exported public import class PushBridgeStore.KeychainCredentialStore
@_exported public import struct PushBridgeStore.KeychainError
@_exported public import struct PushBridgeStore.KeychainItem
@_exported public import struct PushBridgeStore.KeychainSealingKey
@_exported public import struct PushBridgeStore.KeychainServices
@_exported public import class PushBridgeStore.MemoryCredentialStore
@_exported public import class PushBridgeStore.SQLiteCredentialStore
@_exported public import enum PushBridgeStore.SQLiteStoreMode
@_exported public import protocol PushBridgeStore.SealingKeyProvider
@_exported public import enum PushBridgeStore.StandardStore

#if canImport(Security)
@_exported public import struct PushBridgeStore.SystemKeychain
#endif
