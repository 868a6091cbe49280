import FRAuthenticator

/// Step 1 of the guide: PushBridge in place of the SDK, on the keychain items that the SDK wrote.
enum Launch {
    /// Starts the client.
    static func start() throws {
        // This app's default isolation is the main actor, also for its callbacks.
        FRAClient.callsBackOnMainQueue = true
        FRAClient.start()
    }
}
