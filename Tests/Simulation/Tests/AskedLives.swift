import PushBridgeTestSupport

/// The number of lives in the environment variable `PUSHBRIDGE_SWEEP`; `nil` if the variable is not set.
///
/// This constant has its own file, which does not import the engine, because the engine also has a type `Sweep`.
let askedLives = Sweep.asked
