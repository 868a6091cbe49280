/// A stand-in for a type that the SDK and PushBridge declare.
public enum FRAClient {}
