import FRAuthenticator

/// Step 1 of the guide: PushBridge replaces the SDK, and works on the keychain items that the SDK wrote.
enum Launch {
    /// Starts the client.
    static func start() throws {
        // The app's default isolation is the main actor, so the API's callbacks have to run on the main queue.
        FRAClient.callsBackOnMainQueue = true
        FRAClient.start()
    }
}
