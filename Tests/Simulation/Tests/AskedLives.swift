import PushBridgeTestSupport

/// The number of lives that a nightly check requests, or `nil`; in a separate file, because the engine has another
/// `Sweep`.
let askedLives = Sweep.asked
