public import PushBridgeCore
public import PushBridgePlatform

// The legacy SDK's module FRAuthenticator declares these names. No other name is exported, because it could hide a
// type of the app with the same name, or make that type's name ambiguous.
@_exported public import typealias FRCore.ErrorCallback
@_exported public import struct FRCore.FRALog
@_exported public import typealias FRCore.SuccessCallback

#if !canImport(UIKit)
// This stand-in replaces UIKit's type on platforms without UIKit.
@_exported public import enum PushBridgeNotifications.UIBackgroundFetchResult
#endif

// The legacy API uses the types below, although the SDK does not have them. PushBridgeNotifications exports further
// types, for stores and pushes.
extension FRAClient {
    /// The outcome of the removal of an account from its servers and from the device.
    public typealias RemovalOutcome = PushBridgeCore.RemovalOutcome
    /// The reason why a server did not confirm the removal of an account.
    public typealias RemovalObstacle = PushBridgeCore.RemovalObstacle
    /// A removal that the server has not confirmed.
    public typealias UnconfirmedRemoval = PushBridgeCore.UnconfirmedRemoval
    /// A session of the user at the server.
    public typealias ServerSession = PushServerSession
    /// Asks the user for local authentication.
    public typealias LocalAuthenticating = PushBridgePlatform.LocalAuthenticating
    /// A request for local authentication.
    public typealias AuthenticationPrompt = PushBridgePlatform.AuthenticationPrompt
    /// The error that a platform without local authentication reports.
    public typealias LocalAuthenticationUnavailable = PushBridgePlatform.LocalAuthenticationUnavailable
}

extension FRAPushHandler {
    /// Whether a server has the device token and, if it does not, why.
    public typealias TokenState = DeviceTokenState
    /// A step of a push.
    public typealias Milestone = PushMilestone
}
