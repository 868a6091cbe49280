import ArgumentParser
import PingAMSimulator

/// The option for the version of PingAM that is simulated.
struct ServerVersionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The version of the simulated server: \(serverVersionNames); or all.",
            valueName: "version"
        )
    )
    var amVersion = ServerVersion.v8_0_2.rawValue

    func validate() throws {
        _ = try versions()
    }

    /// Returns the requested versions.
    func versions() throws -> [ServerVersion] {
        amVersion == "all" ? ServerVersion.allCases : [try serverVersion(amVersion)]
    }

    /// Returns the requested versions.
    ///
    /// If a requested version behaves like another version, this is reported on stderr.
    func announcedVersions() throws -> [ServerVersion] {
        amVersion == "all" ? ServerVersion.allCases : [try announcedServerVersion(amVersion)]
    }
}
