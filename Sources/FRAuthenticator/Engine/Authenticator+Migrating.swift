extension Authenticator {
    /// Imports what was locked when the client started.
    func finishMigration() {
        configuration.migration?.runAgainIfLocked(on: self)
    }
}
