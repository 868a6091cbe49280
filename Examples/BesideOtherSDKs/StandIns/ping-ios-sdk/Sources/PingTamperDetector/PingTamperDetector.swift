/// The only type of this stand-in for a module that both the SDK and PushBridge have.
public enum TamperDetector {}
