/// A stand-in for a type that both packages declare.
public enum FRAClient {}
