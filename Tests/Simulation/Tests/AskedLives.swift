import PushBridgeTestSupport

/// The number of lives that a nightly check requests; `nil` if no check requests a number.
///
/// This constant is in a separate file, because the engine has another type with the name `Sweep`.
let askedLives = Sweep.asked
