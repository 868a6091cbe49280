import PushBridgeTestSupport

/// How many lives a nightly check asks for; the simulation has another `Sweep`.
let askedLives = Sweep.asked
