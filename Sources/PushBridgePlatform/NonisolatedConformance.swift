#if compiler(>=6.2)
/// Prevents an app's conformance from being isolated to the main actor.
///
/// In an app whose default isolation is the main actor, a conforming class would also be isolated to the main
/// actor. But the protocol's methods are called on other threads.
public typealias NonisolatedConformance = SendableMetatype
#else
/// This alias has no effect: compilers before Swift 6.2 have no default isolation.
public typealias NonisolatedConformance = Any
#endif
