import PushBridgePlatform
import Testing

@Suite("Signs of tampering")
struct TamperingSignTests {
    @Test(arguments: TamperingSign.allCases)
    func everySignIsFoundByItsTraces(_ sign: TamperingSign) {
        #expect(sign.analyze { _ in true } == 1)
        #expect(sign.analyze { _ in false } == 0)
    }

    @Test func oneTraceIsEnoughToFindASign() {
        #expect(TamperingSign.cydia.analyze { $0 == .file("/Applications/Cydia.app") } == 1)
        #expect(TamperingSign.apt.analyze { $0 == .file("/Applications/Cydia.app") } == 0)
    }

    @Test func noTamperingSignIsFoundOnOtherPlatforms() {
        #expect(TamperingSign.standard.isEmpty)
        #expect(TamperingSign.allCases.allSatisfy { $0.analyze() == 0 })
    }
}
