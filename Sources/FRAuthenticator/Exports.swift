// One import is enough for a legacy call site: it never imported FRCore for the types it gets from there. Not all
// of FRCore, because its `Result` would hide the standard library's in every file of an app.
@_exported public import class FRCore.Action
@_exported public import enum FRCore.ActionType
@_exported public import typealias FRCore.ErrorCallback
@_exported public import class FRCore.FRALog
@_exported public import protocol FRCore.FRError
@_exported public import class FRCore.FRJailbreakDetector
@_exported public import protocol FRCore.FRLogger
@_exported public import class FRCore.FRURLSessionHandler
@_exported public import protocol FRCore.FRURLSessionHandlerProtocol
@_exported public import struct FRCore.LogLevel
@_exported public import enum FRCore.NetworkError
@_exported public import class FRCore.Request
@_exported public import protocol FRCore.RequestInterceptor
@_exported public import class FRCore.RequestInterceptorRegistry
@_exported public import struct FRCore.Response
@_exported public import class FRCore.RestClient
@_exported public import typealias FRCore.ResultCallback
@_exported public import typealias FRCore.SuccessCallback
// What an app opens the store with that it hands to `FRAClient.setCredentialStore`.
@_exported public import protocol PushBridgeCore.CredentialStore
@_exported public import struct PushBridgeCore.StoreError
@_exported public import struct PushBridgePlatform.AuthenticationPrompt
@_exported public import protocol PushBridgePlatform.JailbreakDetector
@_exported public import protocol PushBridgePlatform.LocalAuthenticating
@_exported public import struct PushBridgePlatform.LocalAuthenticationUnavailable
@_exported public import struct PushBridgeStore.InMemorySealingKey
@_exported public import struct PushBridgeStore.KeyFile
@_exported public import class PushBridgeStore.KeychainCredentialStore
@_exported public import struct PushBridgeStore.KeychainSealingKey
@_exported public import class PushBridgeStore.MemoryCredentialStore
@_exported public import class PushBridgeStore.SQLiteCredentialStore
@_exported public import enum PushBridgeStore.SQLiteStoreMode
@_exported public import protocol PushBridgeStore.SealingKeyProvider
@_exported public import enum PushBridgeStore.StandardStore

#if canImport(Security)
@_exported public import struct PushBridgeStore.SystemKeychain
#endif
