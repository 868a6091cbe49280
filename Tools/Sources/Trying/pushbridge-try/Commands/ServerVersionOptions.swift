import ArgumentParser
import PingAMSimulator

/// The version of PingAM for the simulated service.
struct ServerVersionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The version of the simulated server: \(serverVersionNames). Or all.",
            valueName: "version"
        )
    )
    var amVersion = ServerVersion.v8_0_2.rawValue

    func validate() throws {
        _ = try versions()
    }

    /// The requested versions.
    func versions() throws -> [ServerVersion] {
        amVersion == "all" ? ServerVersion.allCases : [try serverVersion(amVersion)]
    }

    /// The requested versions; reports on stderr if the requested version behaves like another one.
    func announcedVersions() throws -> [ServerVersion] {
        amVersion == "all" ? ServerVersion.allCases : [try announcedServerVersion(amVersion)]
    }
}
