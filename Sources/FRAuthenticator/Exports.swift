@_exported public import PushBridgeNotifications

// One import is enough for a legacy call site: it never imported FRCore for the types it gets from there. No more of
// FRCore than call sites of push use, because names such as `Log` and `Result` are those of other modules too.
@_exported public import struct FRCore.Action
@_exported public import enum FRCore.ActionType
@_exported public import typealias FRCore.ErrorCallback
@_exported public import struct FRCore.FRALog
@_exported public import protocol FRCore.FRError
@_exported public import class FRCore.FRJailbreakDetector
@_exported public import protocol FRCore.FRLogger
@_exported public import class FRCore.FRURLSessionHandler
@_exported public import protocol FRCore.FRURLSessionHandlerProtocol
@_exported public import class FRCore.LogLevel
@_exported public import enum FRCore.NetworkError
@_exported public import struct FRCore.Request
@_exported public import protocol FRCore.RequestInterceptor
@_exported public import class FRCore.RequestInterceptorRegistry
@_exported public import struct FRCore.Response
@_exported public import class FRCore.RestClient
@_exported public import typealias FRCore.ResultCallback
@_exported public import typealias FRCore.SuccessCallback
// What an app opens the store with that it hands to `FRAClient.setCredentialStore`.
@_exported public import enum PushBridgeCore.RemovalObstacle
@_exported public import enum PushBridgeCore.RemovalOutcome
@_exported public import struct PushBridgeCore.ServerSession
@_exported public import enum PushBridgeCore.TokenState
@_exported public import struct PushBridgePlatform.AuthenticationPrompt
@_exported public import protocol PushBridgePlatform.LocalAuthenticating
@_exported public import struct PushBridgePlatform.LocalAuthenticationUnavailable
@_exported public import class PushBridgeStore.MemoryCredentialStore
@_exported public import protocol PushBridgeStore.SealingKeyProvider

#if canImport(Security)
@_exported public import struct PushBridgeStore.SystemKeychain
#endif
