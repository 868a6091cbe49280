// `PushBridgeCore` declares the accessibility classes of keychain items.
@_exported public import enum PushBridgeCore.KeychainAccessibility
// The protocol is declared in a module that both APIs use; existing apps expect it in FRCore.
@_exported public import protocol PushBridgePlatform.JailbreakDetector

// The protocols that apps implement inherit from this protocol.
#if compiler(>=6.2)
@_exported public import protocol PushBridgePlatform.NonisolatedConformance
#else
@_exported public import typealias PushBridgePlatform.NonisolatedConformance
#endif
