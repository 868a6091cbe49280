/// A stand-in for a module that both packages have.
public enum TamperDetector {}
