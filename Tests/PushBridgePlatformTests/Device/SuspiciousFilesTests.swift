import PushBridgePlatform
import Testing

@Suite("Suspicious files")
struct SuspiciousFilesTests {
    @Test func oneVisibleFileIsProof() {
        #expect(SuspiciousFiles { $0 == "/Applications/Cydia.app" }.analyze() == 1)
        #expect(SuspiciousFiles { _ in false }.analyze() == 0)
    }
}
