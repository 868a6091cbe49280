import FRAuthenticator

/// Step 1 of the guide: PushBridge replaces the SDK, and works on the keychain items that the SDK wrote.
enum Launch {
    /// Starts the client.
    static func start() throws {
        // The default isolation of this app is the main actor, so its callbacks have to run on the main queue.
        FRAClient.callsBackOnMainQueue = true
        FRAClient.start()
    }
}
