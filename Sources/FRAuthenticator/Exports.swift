@_exported public import PushBridgeNotifications

// The legacy SDK declares these in FRAuthenticator. Nothing else of FRCore, as in the SDK: a name that is exported by
// itself takes precedence over the same name of an app's other modules.
@_exported public import typealias FRCore.ErrorCallback
@_exported public import struct FRCore.FRALog
@_exported public import typealias FRCore.SuccessCallback
// The types with which an app opens the store that it hands to `FRAClient.setCredentialStore`.
@_exported public import enum PushBridgeCore.DeviceTokenState
@_exported public import struct PushBridgeCore.PushServerSession
@_exported public import enum PushBridgeCore.RemovalObstacle
@_exported public import enum PushBridgeCore.RemovalOutcome
@_exported public import struct PushBridgeCore.UnconfirmedRemoval
@_exported public import struct PushBridgePlatform.AuthenticationPrompt
@_exported public import protocol PushBridgePlatform.LocalAuthenticating
@_exported public import struct PushBridgePlatform.LocalAuthenticationUnavailable
@_exported public import class PushBridgeStore.MemoryCredentialStore
@_exported public import protocol PushBridgeStore.SealingKeyProvider

#if canImport(Security)
@_exported public import struct PushBridgeStore.SystemKeychain
#endif
