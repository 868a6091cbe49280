extension World {
    /// Waits until something is so, but not for ever: that it never is so is a finding.
    func waitUntil(_ condition: () -> Bool) async {
        let end = ContinuousClock.now + wrapping.patience
        while !condition(), ContinuousClock.now < end {
            do {
                try await Task.sleep(for: .milliseconds(1))
            } catch {
                return
            }
        }
    }
}
