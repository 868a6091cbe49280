/// The device; as in UIKit, only the main actor may ask it.
@MainActor public final class UIDevice {
    /// The only one.
    public static let current = UIDevice()

    /// The name that the user gave it; a test may give another.
    public var name = "Babs’ iPhone"

    private init() {}
}

/// The application; as in UIKit, only the main actor may ask it.
@MainActor public final class UIApplication {
    /// The only one.
    public static let shared = UIApplication()

    private init() {}
}

/// What a push in the background brought.
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData
    case noData
    case failed
}
