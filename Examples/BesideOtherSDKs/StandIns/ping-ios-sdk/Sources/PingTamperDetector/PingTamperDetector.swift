/// The only type in this stand-in; the successor SDK and PushBridge both have a module with this name.
public enum TamperDetector {}
