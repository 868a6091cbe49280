/// A stand-in for a module that the SDK and PushBridge have.
public enum TamperDetector {}
