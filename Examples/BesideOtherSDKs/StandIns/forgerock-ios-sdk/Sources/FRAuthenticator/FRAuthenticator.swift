/// A stand-in for a type that both the legacy SDK and PushBridge declare.
public enum FRAClient {}
