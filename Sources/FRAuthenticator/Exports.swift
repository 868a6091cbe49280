@_exported public import PushBridgeNotifications

// One import is enough for a legacy call site: it never imported FRCore for the types it gets from there. Not all of
// FRCore, because `Log`, `Result`, `KeychainService` and the like are names of other modules too.
@_exported public import struct FRCore.Action
@_exported public import enum FRCore.ActionType
@_exported public import class FRCore.AptDetector
@_exported public import class FRCore.BashDetector
@_exported public import class FRCore.CydiaDetector
@_exported public import class FRCore.CydiaSubstrateDetector
@_exported public import class FRCore.DyldDetector
@_exported public import typealias FRCore.ErrorCallback
@_exported public import struct FRCore.FRALog
@_exported public import protocol FRCore.FRError
@_exported public import protocol FRCore.FRHistory
@_exported public import class FRCore.FRJailbreakDetector
@_exported public import protocol FRCore.FRLogger
@_exported public import class FRCore.FRSecurityConfiguration
@_exported public import class FRCore.FRURLSessionHandler
@_exported public import protocol FRCore.FRURLSessionHandlerProtocol
@_exported public import class FRCore.FRURLSessionSSLPinningHandler
@_exported public import class FRCore.LogLevel
@_exported public import enum FRCore.NetworkError
@_exported public import class FRCore.PrivateFileWritableDetector
@_exported public import struct FRCore.Request
@_exported public import protocol FRCore.RequestInterceptor
@_exported public import class FRCore.RequestInterceptorRegistry
@_exported public import struct FRCore.Response
@_exported public import class FRCore.RestClient
@_exported public import class FRCore.RestrictedDirectoriesWritableDetector
@_exported public import typealias FRCore.ResultCallback
@_exported public import class FRCore.SSHDetector
@_exported public import class FRCore.SandboxDetector
@_exported public import class FRCore.SandboxRestrictedFilesAccessable
@_exported public import struct FRCore.SecuredKey
@_exported public import enum FRCore.SecurityError
@_exported public import typealias FRCore.SuccessCallback
@_exported public import class FRCore.SuspiciousFilesAccessibleDetector
@_exported public import class FRCore.SuspiciousFilesExistenceDetector
@_exported public import class FRCore.SuspiciousObjCClassesDetector
@_exported public import class FRCore.SymbolicLinkDetector
@_exported public import class FRCore.URLSchemeDetector
// The types with which an app opens the store that it hands to `FRAClient.setCredentialStore`.
@_exported public import struct PushBridgeCore.OwedRemoval
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
