export default function Page() {
  return <p>POST /api/agent, POST /api/edge</p>;
}
