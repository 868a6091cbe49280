public import PushBridgeCore
public import PushBridgePlatform

// The legacy SDK declares these in FRAuthenticator. No other name is exported, as in the SDK: an exported name takes
// precedence over the same name of an app's other modules, or is ambiguous beside it.
@_exported public import typealias FRCore.ErrorCallback
@_exported public import struct FRCore.FRALog
@_exported public import typealias FRCore.SuccessCallback

#if !canImport(UIKit)
// UIKit's type, of which there is a stand-in where UIKit is not.
@_exported public import enum PushBridgeNotifications.UIBackgroundFetchResult
#endif

// The types of this API that the SDK does not have; stores and pushes are exported by PushBridgeNotifications.
extension FRAClient {
    /// How an account was removed from the server and the device.
    public typealias RemovalOutcome = PushBridgeCore.RemovalOutcome
    /// Why an account could not be removed.
    public typealias RemovalObstacle = PushBridgeCore.RemovalObstacle
    /// A removal that the server has not confirmed.
    public typealias UnconfirmedRemoval = PushBridgeCore.UnconfirmedRemoval
    /// A session of the user at the server.
    public typealias ServerSession = PushServerSession
    /// Asks the user for local authentication.
    public typealias LocalAuthenticating = PushBridgePlatform.LocalAuthenticating
    /// A request for local authentication.
    public typealias AuthenticationPrompt = PushBridgePlatform.AuthenticationPrompt
    /// The error of a platform without local authentication.
    public typealias LocalAuthenticationUnavailable = PushBridgePlatform.LocalAuthenticationUnavailable
}

extension FRAPushHandler {
    /// Which servers know the device token.
    public typealias TokenState = DeviceTokenState
    /// A step of a push.
    public typealias Milestone = PushMilestone
}
