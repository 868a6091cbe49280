// `PushBridgeCore` declares the accessibility classes of keychain items, which `KeychainOptions` uses.
@_exported public import enum PushBridgeCore.KeychainAccessibility
// Both APIs use the module that declares this protocol, but existing apps expect the protocol in FRCore.
@_exported public import protocol PushBridgePlatform.JailbreakDetector

// The legacy SDK's protocols that apps implement, except `FRError`, inherit from this protocol.
#if compiler(>=6.2)
@_exported public import protocol PushBridgePlatform.NonisolatedConformance
#else
@_exported public import typealias PushBridgePlatform.NonisolatedConformance
#endif
