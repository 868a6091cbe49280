#if compiler(>=6.2)
/// Keeps an app's conformance to a protocol from being isolated to the main actor.
///
/// In an app whose default isolation is the main actor, a class that conforms to a protocol without this becomes isolated
/// itself, although the protocol's methods are called on other threads.
public typealias NonisolatedConformance = SendableMetatype
#else
/// Has no effect before Swift 6.2, in which an app can have a default isolation.
public typealias NonisolatedConformance = Any
#endif
