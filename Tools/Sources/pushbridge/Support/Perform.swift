import ArgumentParser

extension ParsableCommand {
    /// Runs a command's body; a failure becomes one sentence on stderr and the documented status.
    func perform(storeRole: CommandFailure.StoreRole, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            try end(error, storeRole: storeRole)
        }
    }

    /// Runs the body of a command that waits.
    func perform(storeRole: CommandFailure.StoreRole, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try end(error, storeRole: storeRole)
        }
    }

    private func end(_ error: any Error, storeRole: CommandFailure.StoreRole) throws {
        if let exit = error as? ExitCode { throw exit }
        let failure = CommandFailure(error, storeRole: storeRole)
        Terminal.diagnose("pushbridge: \(failure.sentence)\n")
        try failure.status.exit()
    }
}
