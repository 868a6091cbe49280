import ArgumentParser

extension ParsableCommand {
    /// Runs a command's body; a failure becomes one sentence on stderr and the documented status.
    func perform(storeRole: CommandFailure.StoreRole, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let failure = CommandFailure(error, storeRole: storeRole)
            Terminal.diagnose("pushbridge: \(failure.sentence)\n")
            try failure.status.exit()
        }
    }
}
